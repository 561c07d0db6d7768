"""The formats of JSON Schema as regular expressions, each written after the grammar of its RFC.

Rule: everything in a language here is a valid instance of its format. What is valid and left out, because no regular language or no
common reader has it: year 0000, leap seconds at time offsets that are no multiple of 30 minutes, labels of host names with "--" in third
and fourth place (among them the encoded labels `xn--`), regular expressions with groups inside groups inside groups inside groups, with
references to groups by number, and with ranges of characters that are not known to be in order.
Nothing imports this but scripts/generate_format_tables.py, which writes what `formats` reads, and tests: run it after a change here.
Sources: RFC 3339 5.6 and appendix A (dates, times, durations), RFC 5321 4.1.2 (mail), RFC 1123 2.1 and RFC 5890 2.3.1 (host names), RFC 2673
3.2 and RFC 4291 2.2 (addresses), RFC 3986 and 3987 (URIs and IRIs), RFC 6570 with erratum 6937 (templates), RFC 4122 (UUIDs), RFC 6901 (pointers),
ECMA-262 22.2.1 (regular expressions).
"""

from __future__ import annotations

from grammask.frontends.regex import pattern_language
from grammask.grammar.expression import Expression

__all__ = ["PATTERNS", "language_of_pattern"]

# ---- dates and times ------------------------------------------------------------------------------------------------
LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
DAYS_31 = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
DAYS_30 = "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
DATE = f"(?:{YEAR}-(?:{DAYS_31}|{DAYS_30}|02-(?:0[1-9]|1[0-9]|2[0-8]))|{LEAP_YEAR}-02-29)"
HOUR, MINUTE = "(?:[01][0-9]|2[0-3])", "[0-5][0-9]"
FRACTION = r"(?:\.[0-9]+)?"


def _leap_seconds() -> str:
    """23:59:60 in UTC, in the local time of every offset that is a multiple of 30 minutes."""
    kinds = [f"23:59:60{FRACTION}[Zz]"]
    for local in range(29, 24 * 60, 30):
        east, west = (local - (23 * 60 + 59)) % (24 * 60), (23 * 60 + 59 - local) % (24 * 60)
        offsets = f"(?:\\+{east // 60:02}:{east % 60:02}|-{west // 60:02}:{west % 60:02})"
        kinds.append(f"{local // 60:02}:{local % 60:02}:60{FRACTION}{offsets}")
    return "|".join(kinds)


TIME = f"(?:{HOUR}:{MINUTE}:{MINUTE}{FRACTION}(?:[Zz]|[+-]{HOUR}:{MINUTE})|{_leap_seconds()})"
N = "[0-9]+"
DURATION_TIME = f"T(?:{N}H(?:{N}M(?:{N}S)?)?|{N}M(?:{N}S)?|{N}S)"
DURATION_DATE = f"(?:{N}Y(?:{N}M(?:{N}D)?)?|{N}M(?:{N}D)?|{N}D)"
DURATION = f"P(?:{DURATION_DATE}(?:{DURATION_TIME})?|{DURATION_TIME}|{N}W)"

# ---- addresses ------------------------------------------------------------------------------------------------------
OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"{OCTET}(?:\.{OCTET}){{3}}"
H16 = "[0-9A-Fa-f]{1,4}"
LS32 = f"(?:{H16}:{H16}|{IPV4})"
IPV6 = "(?:" + "|".join([
    f"(?:{H16}:){{6}}{LS32}",
    f"::(?:{H16}:){{5}}{LS32}",
    f"(?:{H16})?::(?:{H16}:){{4}}{LS32}",
    f"(?:(?:{H16}:){{0,1}}{H16})?::(?:{H16}:){{3}}{LS32}",
    f"(?:(?:{H16}:){{0,2}}{H16})?::(?:{H16}:){{2}}{LS32}",
    f"(?:(?:{H16}:){{0,3}}{H16})?::{H16}:{LS32}",
    f"(?:(?:{H16}:){{0,4}}{H16})?::{LS32}",
    f"(?:(?:{H16}:){{0,5}}{H16})?::{H16}",
    f"(?:(?:{H16}:){{0,6}}{H16})?::",
]) + ")"  # fmt: skip
LABEL_LAST, LABEL_INNER = "[A-Za-z0-9]", "[A-Za-z0-9-]"
LABEL = (
    f"{LABEL_LAST}(?:{LABEL_INNER}?{LABEL_LAST}|{LABEL_INNER}{{2}}{LABEL_LAST}"
    f"|{LABEL_INNER}(?:{LABEL_LAST}{LABEL_INNER}|-{LABEL_LAST}){LABEL_INNER}{{0,58}}{LABEL_LAST})?"
)
HOSTNAME = rf"{LABEL}(?:\.{LABEL})*"
LABEL_1123 = f"{LABEL_LAST}(?:{LABEL_INNER}{{0,61}}{LABEL_LAST})?"
HOSTNAME_1123 = rf"{LABEL_1123}(?:\.{LABEL_1123})*"
ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
# At most 64 octets stand before the @ (RFC 5321 4.5.3.1.1), and a quoted pair is two of them.
DOT_ATOM_PARTS = rf"(?=[^@]{{1,64}}@){ATEXT}+(?:\.{ATEXT}+)*"
QUOTED = r'"(?:[ !#-\[\]-~]|\\[ -~]){0,31}"'
MAIL_LITERAL = rf"\[(?:{IPV4}|IPv6:{IPV6})\]"
EMAIL = f"(?:{DOT_ATOM_PARTS}|{QUOTED})@(?:{HOSTNAME}|{MAIL_LITERAL})"

# ---- URIs -----------------------------------------------------------------------------------------------------------
ESCAPED = "%[0-9A-Fa-f]{2}"
UNRESERVED = r"A-Za-z0-9\-._~"
SUBDELIMS = "!$&'()*+,;="
HIGHER_PLANES = [(plane << 16 | (0x1000 if plane == 14 else 0), plane << 16 | 0xFFFD) for plane in range(1, 15)]
UCSCHAR = "".join(rf"\u{{{low:X}}}-\u{{{high:X}}}" for low, high in [(0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF), *HIGHER_PLANES])
IPRIVATE = r"\u{E000}-\u{F8FF}\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}"
SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]*"


def _uri(more: str, private: str) -> tuple[str, str]:
    """The patterns of URI and URI-reference (RFC 3986); `more` joins the unreserved characters, `private` those of a query (RFC 3987)."""
    pchar = f"(?:[{UNRESERVED}{more}{SUBDELIMS}:@]|{ESCAPED})"
    no_colon = f"(?:[{UNRESERVED}{more}{SUBDELIMS}@]|{ESCAPED})"
    userinfo = f"(?:[{UNRESERVED}{more}{SUBDELIMS}:]|{ESCAPED})*@"
    name = f"(?:[{UNRESERVED}{more}{SUBDELIMS}]|{ESCAPED})*"
    literal = rf"\[(?:{IPV6}|[vV][0-9A-Fa-f]+\.[{UNRESERVED}{SUBDELIMS}:]+)\]"
    authority = f"(?:{userinfo})?(?:{literal}|{name})(?::[0-9]*)?"
    segments = f"(?:/{pchar}*)*"
    rooted = f"(?://{authority}{segments}|/(?:{pchar}+{segments})?)"
    query = rf"(?:\?(?:{pchar}|[/?{private}])*)?" if private else rf"(?:\?(?:{pchar}|[/?])*)?"
    tail = f"{query}(?:#(?:{pchar}|[/?])*)?"
    uri = f"{SCHEME}:(?:{rooted}|{pchar}+{segments})?{tail}"
    return uri, f"(?:{uri}|(?:{rooted}|{no_colon}+{segments})?{tail})"


URI, URI_REFERENCE = _uri("", "")
IRI, IRI_REFERENCE = _uri(UCSCHAR, IPRIVATE)
VARIABLE = f"(?:[A-Za-z0-9_]|{ESCAPED})(?:\\.?(?:[A-Za-z0-9_]|{ESCAPED}))*(?::[1-9][0-9]{{0,3}}|\\*)?"
TEMPLATE_LITERAL = rf"[!#$&-;=?-\[\]_a-z~{UCSCHAR}{IPRIVATE}]"
URI_TEMPLATE = rf"(?:{TEMPLATE_LITERAL}|{ESCAPED}|\{{[+#./;?&=,!@|]?{VARIABLE}(?:,{VARIABLE})*\}})*"
HEX = "[0-9A-Fa-f]"
PLAIN = r"[^\^$\\.*+?()\[\]{}|]"
POINTER = "(?:/(?:[^~/]|~[01])*)*"

# ---- regular expressions --------------------------------------------------------------------------------------------
LETTERS, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
ASCENDING = "|".join(f"{digit},[{digit}-9]" for digit in DIGITS)
REPEATED = rf"(?:[*+?]|\{{(?:[0-9]{{1,3}},?|{ASCENDING}|[0-9],[1-9][0-9]{{1,2}}|[1-9][0-9],[1-9][0-9]{{2}})\}})\??"
COMMON_ESCAPES = rf"[dDsSwWfnrtv\^$\\.*+?()\[\]{{}}|/]|c[A-Za-z]|x{HEX}{{2}}|u{HEX}{{4}}"


def _ordered(characters: str, n_single: int) -> str:
    """Ranges of these: up to a last one from each of the first few, and from there on only from the first half to the second."""
    single, others = characters[:n_single], characters[n_single:]
    half = len(others) // 2
    halves = [f"[{others[0]}-{others[half - 1]}]-[{others[half]}-{others[-1]}]"] if others else []
    return "|".join([*(f"{first}-[{first}-{characters[-1]}]" for first in single), *halves])


def _nested(depth: int, *, looking: bool) -> str:
    """Regular expressions (ECMA-262) with groups inside groups down to a depth, and at the top with assertions that look ahead or behind.

    What they hold is valid with the flag u and without.
    """
    letters, capitals = _ordered(LETTERS, 6), _ordered(LETTERS.upper(), 6)
    from_ascii = r"[\u{20}-\u{2C}\u{2E}-\u{5B}\u{5E}-\u{7E}]-[^\u{0}-\u{7F}]"
    inside = rf"[^\\\]\-]|\\(?:{COMMON_ESCAPES}|[b\-])|{letters}|{capitals}|{_ordered(DIGITS, 10)}|[ !]-~|{from_ascii}"
    atom = rf"(?:\.|{PLAIN}|\\(?:{COMMON_ESCAPES})|\[\^?-?(?:{inside})*-?\])"
    term = rf"\^|\$|\\[bB]|\||{atom}(?:{REPEATED})?"
    found = f"(?:{term})*"
    for level in range(depth):
        look = rf"|\(\?<?[=!](?:{term})*\)" if looking and level == depth - 1 else ""
        found = rf"(?:{term}|\((?:\?:)?{found}\)(?:{REPEATED})?{look})*"
    return found


def _regex() -> str:
    """At most one group has a name, and only some names may be referred to, behind it: that they are there is then known."""
    simple = rf"(?:(?:\.|{PLAIN}|\\(?:{COMMON_ESCAPES}))(?:[*+?]\??)?)*"
    named = rf"\(\?<[A-Za-z_$][A-Za-z0-9_$]*>{_nested(0, looking=False)}\)(?:{REPEATED})?"
    referred = "|".join(rf"\(\?<{name}>{simple}\)(?:[*+?]\??)?{simple}\\k<{name}>(?:[*+?]\??)?" for name in ("n", "name", "q", "tag"))
    return f"{_nested(3, looking=True)}(?:(?:{named}|{referred}){_nested(0, looking=False)})?"


PATTERNS = {
    "date": DATE,
    "time": TIME,
    "date-time": f"{DATE}[Tt]{TIME}",
    "duration": DURATION,
    "email": EMAIL,
    "hostname": HOSTNAME,
    "hostname of RFC 1123": HOSTNAME_1123,
    "ipv4": IPV4,
    "ipv6": IPV6,
    "uri": URI,
    "uri-reference": URI_REFERENCE,
    "iri": IRI,
    "iri-reference": IRI_REFERENCE,
    "uri-template": URI_TEMPLATE,
    "uuid": f"{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}",
    "json-pointer": POINTER,
    "relative-json-pointer": f"(?:0|[1-9][0-9]*)(?:#|{POINTER})",
    "regex": _regex(),
}
# What `formats.AT_MOST` names: patterns that leave out no valid string, so that what they do not match is certainly invalid.
ANY_DATE = DATE.replace(YEAR, "[0-9]{4}").replace(LEAP_YEAR, f"(?:{LEAP_YEAR}|0000)")
ANY_TIME = f"{HOUR}:{MINUTE}:(?:{MINUTE}|60){FRACTION}(?:[Zz]|[+-]{HOUR}:{MINUTE})"
ANY_DOMAIN = rf"{LABEL_LAST}(?:{LABEL_INNER}*{LABEL_LAST})?(?:\.{LABEL_LAST}(?:{LABEL_INNER}*{LABEL_LAST})?)*"
PATTERNS |= {
    "date at most": ANY_DATE,
    "time at most": ANY_TIME,
    "date-time at most": f"{ANY_DATE}[Tt]{ANY_TIME}",
    "email at most": rf'(?:{ATEXT}+(?:\.{ATEXT}+)*|"(?:[ !#-\[\]-~]|\\[ -~])*")@(?:{ANY_DOMAIN}|\[[!-Z\^-~]*\])',
}


def language_of_pattern(pattern: str) -> Expression:
    """The language of a whole string that a pattern here stands for."""
    return pattern_language(f"^(?:{pattern})$", dialect="ecma", search=True)
