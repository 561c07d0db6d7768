"""Writes the Unicode tables of the regex front end: src/grammask/frontends/regex/{ecma,python}_tables.py.

Run from the root of the repository: python scripts/generate_regex_tables.py
The ECMA-262 tables are asked of an ECMAScript engine (`node`), which is their definition; the tables of Python's `re` are asked
of the interpreter that runs this. Both name the version of Unicode they hold.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from grammask.frontends.regex import charsets, python_sets  # noqa: E402 (the path is set above)
from grammask.grammar.expression import normalise_ranges  # noqa: E402

TARGET = ROOT / "src/grammask/frontends/regex"

# Aliases as ECMA-262 lists them: "short long" or one name. Groups of categories are unions, so they need no table of their own.
CATEGORIES = """
Cc Control/cntrl, Cf Format, Cn Unassigned, Co Private_Use, Cs Surrogate, Ll Lowercase_Letter, Lm Modifier_Letter, Lo Other_Letter,
Lt Titlecase_Letter, Lu Uppercase_Letter, Mc Spacing_Mark, Me Enclosing_Mark, Mn Nonspacing_Mark, Nd Decimal_Number/digit, Nl Letter_Number,
No Other_Number, Pc Connector_Punctuation, Pd Dash_Punctuation, Pe Close_Punctuation, Pf Final_Punctuation, Pi Initial_Punctuation,
Po Other_Punctuation, Ps Open_Punctuation, Sc Currency_Symbol, Sk Modifier_Symbol, Sm Math_Symbol, So Other_Symbol,
Zl Line_Separator, Zp Paragraph_Separator, Zs Space_Separator"""
BINARY = """
ASCII, AHex ASCII_Hex_Digit, Alpha Alphabetic, Any, Assigned, Bidi_C Bidi_Control, Bidi_M Bidi_Mirrored, CI Case_Ignorable, Cased,
CWCF Changes_When_Casefolded, CWCM Changes_When_Casemapped, CWL Changes_When_Lowercased, CWKCF Changes_When_NFKC_Casefolded,
CWT Changes_When_Titlecased, CWU Changes_When_Uppercased, Dash, DI Default_Ignorable_Code_Point, Dep Deprecated, Dia Diacritic, Emoji,
EComp Emoji_Component, EMod Emoji_Modifier, EBase Emoji_Modifier_Base, EPres Emoji_Presentation, ExtPict Extended_Pictographic, Ext Extender,
Gr_Base Grapheme_Base, Gr_Ext Grapheme_Extend, Hex Hex_Digit, IDSB IDS_Binary_Operator, IDST IDS_Trinary_Operator, IDC ID_Continue,
IDS ID_Start, Ideo Ideographic, Join_C Join_Control, LOE Logical_Order_Exception, Lower Lowercase, Math, NChar Noncharacter_Code_Point,
Pat_Syn Pattern_Syntax, Pat_WS Pattern_White_Space, QMark Quotation_Mark, Radical, RI Regional_Indicator, STerm Sentence_Terminal,
SD Soft_Dotted, Term Terminal_Punctuation, UIdeo Unified_Ideograph, Upper Uppercase, VS Variation_Selector, space White_Space,
XIDC XID_Continue, XIDS XID_Start"""
SCRIPTS = """
Adlm Adlam, Aghb Caucasian_Albanian, Ahom, Arab Arabic, Armi Imperial_Aramaic, Armn Armenian, Avst Avestan, Bali Balinese, Bamu Bamum,
Bass Bassa_Vah, Batk Batak, Beng Bengali, Berf Beria_Erfe, Bhks Bhaiksuki, Bopo Bopomofo, Brah Brahmi, Brai Braille, Bugi Buginese, Buhd Buhid,
Cakm Chakma, Cans Canadian_Aboriginal, Cari Carian, Cham, Cher Cherokee, Chrs Chorasmian, Copt Coptic/Qaac, Cpmn Cypro_Minoan, Cprt Cypriot,
Cyrl Cyrillic, Deva Devanagari, Diak Dives_Akuru, Dogr Dogra, Dsrt Deseret, Dupl Duployan, Egyp Egyptian_Hieroglyphs, Elba Elbasan,
Elym Elymaic, Ethi Ethiopic, Gara Garay, Geor Georgian, Glag Glagolitic, Gong Gunjala_Gondi, Gonm Masaram_Gondi, Goth Gothic, Gran Grantha,
Grek Greek, Gujr Gujarati, Gukh Gurung_Khema, Guru Gurmukhi, Hang Hangul, Hani Han, Hano Hanunoo, Hatr Hatran, Hebr Hebrew, Hira Hiragana,
Hluw Anatolian_Hieroglyphs, Hmng Pahawh_Hmong, Hmnp Nyiakeng_Puachue_Hmong, Hung Old_Hungarian, Ital Old_Italic, Java Javanese, Kali Kayah_Li,
Kana Katakana, Kawi, Khar Kharoshthi, Khmr Khmer, Khoj Khojki, Kits Khitan_Small_Script, Knda Kannada, Krai Kirat_Rai, Kthi Kaithi,
Lana Tai_Tham, Laoo Lao, Latn Latin, Lepc Lepcha, Limb Limbu, Lina Linear_A, Linb Linear_B, Lisu, Lyci Lycian, Lydi Lydian, Mahj Mahajani,
Maka Makasar, Mand Mandaic, Mani Manichaean, Marc Marchen, Medf Medefaidrin, Mend Mende_Kikakui, Merc Meroitic_Cursive,
Mero Meroitic_Hieroglyphs, Mlym Malayalam, Modi, Mong Mongolian, Mroo Mro, Mtei Meetei_Mayek, Mult Multani, Mymr Myanmar, Nagm Nag_Mundari,
Nand Nandinagari, Narb Old_North_Arabian, Nbat Nabataean, Newa, Nkoo Nko, Nshu Nushu, Ogam Ogham, Olck Ol_Chiki, Onao Ol_Onal, Orkh Old_Turkic,
Orya Oriya, Osge Osage, Osma Osmanya, Ougr Old_Uyghur, Palm Palmyrene, Pauc Pau_Cin_Hau, Perm Old_Permic, Phag Phags_Pa,
Phli Inscriptional_Pahlavi, Phlp Psalter_Pahlavi, Phnx Phoenician, Plrd Miao, Prti Inscriptional_Parthian, Rjng Rejang, Rohg Hanifi_Rohingya,
Runr Runic, Samr Samaritan, Sarb Old_South_Arabian, Saur Saurashtra, Sgnw SignWriting, Shaw Shavian, Shrd Sharada, Sidd Siddham, Sidt Sidetic,
Sind Khudawadi, Sinh Sinhala, Sogd Sogdian, Sogo Old_Sogdian, Sora Sora_Sompeng, Soyo Soyombo, Sund Sundanese, Sunu Sunuwar,
Sylo Syloti_Nagri, Syrc Syriac, Tagb Tagbanwa, Takr Takri, Tale Tai_Le, Talu New_Tai_Lue, Taml Tamil, Tang Tangut, Tavt Tai_Viet, Tayo Tai_Yo,
Telu Telugu, Tfng Tifinagh, Tglg Tagalog, Thaa Thaana, Thai, Tibt Tibetan, Tirh Tirhuta, Tnsa Tangsa, Todr Todhri, Tols Tolong_Siki, Toto,
Tutg Tulu_Tigalari, Ugar Ugaritic, Vaii Vai, Vith Vithkuqi, Wara Warang_Citi, Wcho Wancho, Xpeo Old_Persian, Xsux Cuneiform, Yezi Yezidi,
Yiii Yi, Zanb Zanabazar_Square, Zinh Inherited/Qaai, Zyyy Common"""

NODE_PROGRAM = r"""
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const characters = [];
for (let i = 0; i < 0x110000; i++) if (i < 0xd800 || i > 0xdfff) characters.push(String.fromCodePoint(i));
const text = characters.join("");
const sets = {};
for (const name of asked) {
  sets[name] = [];
  for (const match of text.matchAll(new RegExp(`\\p{${name}}+`, "gu"))) {
    const first = match[0].codePointAt(0), length = [...match[0]].length;
    let last = match[0].codePointAt(match[0].length - 1);
    if (last >= 0xdc00 && last <= 0xdfff) last = match[0].codePointAt(match[0].length - 2);
    sets[name].push([first, last]);
  }
}
const cased = characters.filter((c) => /\p{CWCF}|\p{CWCM}/u.test(c));
const orbits = [], seen = new Set();
for (const c of cased) {
  if (seen.has(c)) continue;
  const orbit = cased.filter((d) => new RegExp(`^${c}$`, "iu").test(d));
  for (const d of orbit) seen.add(d);
  if (orbit.length > 1) orbits.push(orbit.map((d) => d.codePointAt(0)));
}
console.log(JSON.stringify({ version: process.versions.unicode, sets, orbits }));
"""


def aliases(listing: str) -> dict[str, str]:
    """Every name -> the first (short) one, from the lists above."""
    names: dict[str, str] = {}
    for entry in listing.split(","):
        words = entry.replace("/", " ").split()
        names |= dict.fromkeys(words, words[0])
    return names


def ask_node(names: list[str]) -> dict[str, object]:
    """The sets of these property expressions, and the case orbits, out of node."""
    done = subprocess.run(["node", "-e", NODE_PROGRAM], input=json.dumps(names), capture_output=True, text=True, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def written(name: str, sets: dict[str, str]) -> str:
    """A dict of encoded sets as Python source, wrapped."""
    lines = [f"{name}: dict[str, str] = {{"]
    for key, text in sets.items():
        pieces = wrap(text, 140) or [""]
        if len(pieces) == 1:
            lines.append(f'    "{key}": "{pieces[0]}",')
        else:
            lines += [f'    "{key}": (', *[f'        "{piece} "' for piece in pieces[:-1]], f'        "{pieces[-1]}"', "    ),"]
    return "\n".join([*lines, "}"])


def orbit_text(orbits: list[list[int]]) -> dict[str, str]:
    """Orbits as one entry: commas between them, blanks within."""
    return {"orbits": ", ".join(" ".join(f"{c:x}" for c in orbit) for orbit in orbits)}


def head(what: str, version: str) -> str:
    """The docstring and version line of a table module."""
    lines = [f'"""{what}', "", "Written by scripts/generate_regex_tables.py; charsets.decode tells the form of a set.", '"""']
    return "\n".join([*lines, "", "# fmt: off", f'UNICODE_VERSION = "{version}"', "", ""])


def write_ecma() -> None:
    """The properties, scripts and case orbits of ECMA-262 regular expressions."""
    categories, binary, scripts = aliases(CATEGORIES), aliases(BINARY), aliases(SCRIPTS)
    asked = {f"gc:{s}": f"gc={n}" for n, s in categories.items()} | {f"bin:{s}": n for n, s in binary.items()}
    asked |= {f"sc:{s}": f"sc={n}" for n, s in scripts.items()} | {f"scx:{s}": f"scx={n}" for n, s in scripts.items()}
    every_name = [f"gc={n}" for n in categories] + list(binary) + [f"{k}={n}" for n in scripts for k in ("sc", "scx")]  # node refuses a wrong one
    answer = ask_node(every_name)
    sets = {key: normalise_ranges([tuple(r) for r in answer["sets"][name]]) for key, name in asked.items()}  # type: ignore[index]
    unscripted = charsets.complement(charsets.union(*[s for key, s in sets.items() if key.startswith("sc:")]))
    named = charsets.intersection(unscripted, charsets.complement(charsets.union(sets["gc:Cn"], sets["gc:Co"])))
    if named:
        raise SystemExit(f"SCRIPTS lacks a script of this version of Unicode: {named[:5]} are assigned and in none of those listed")
    sets["sc:Zzzz"] = unscripted
    scripts |= {"Zzzz": "Zzzz", "Unknown": "Zzzz"}
    sets = {key: s for key, s in sets.items() if not (key.startswith("scx:") and s == sets["sc:" + key[4:]])}  # scx is sc unless told
    text = head("Sets of characters for ECMA-262 patterns, as an ECMAScript engine has them.", str(answer["version"]))
    text += "\n\n".join(
        f"{name}: dict[str, str] = {json.dumps(table, indent=4)}" for name, table in [("CATEGORIES", categories), ("BINARY", binary), ("SCRIPTS", scripts)]
    )
    text += "\n\n" + written("SETS", {key: charsets.encode(s) for key, s in sets.items()} | orbit_text(answer["orbits"])) + "\n"  # type: ignore[arg-type]
    (TARGET / "ecma_tables.py").write_text(text)


def write_python() -> None:
    """The classes and case orbits of `re`, for the Unicode version of this interpreter."""
    sets = {name: charsets.encode(ranges) for name, ranges in python_sets.scan_classes().items()}
    text = head("Sets of characters for Python's `re`, as the interpreter of this version of Unicode has them.", unicodedata.unidata_version)
    text += written("SETS", sets | orbit_text([list(orbit) for orbit in python_sets.scan_orbits()])) + "\n"
    (TARGET / "python_tables.py").write_text(text)


if __name__ == "__main__":
    write_python()
    write_ecma()
