"""Ray: a data set of documents answered under one grammar, by models in actors of Ray Data, on one machine or a cluster.

    grammask.batch("tickets.jsonl", "answers", schema, prompt="text", actors=2)

Rule: the data set is cut into parts before any work, and a part is answered whole, by one actor, into one file that appears at once. So an actor
or a driver that dies costs the parts under way and nothing else: what is there is done, and what is not there is to be done.

data_set -> files, their rows, parts of them; folder -> where answers go; engines -> a model answers rows; extractor -> the actor; run -> `batch`.
Verified with ray 2.60.0.
"""

from grammask.integrations.ray.run import BatchReport, batch

__all__ = ["BatchReport", "batch"]
