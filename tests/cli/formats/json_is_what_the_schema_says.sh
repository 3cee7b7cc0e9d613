. "$CASES/formats.bash"
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import jsonschema' 2>/dev/null && break
done
[ "$python" != none ] || skip "no jsonschema"
simulate_pair 6 800
turned q.fa >r.fa
fasta p MKVLAAGIVGLCAKAYLERHE >p.fa
fasta s MKVLSAGIVGLCKAYLERHE >s.fa
fasta a AAAA >a.fa
fasta c CCCC >c.fa
object() { clalign align --quiet --format json "$@" >>objects || exit; }
object q.fa t.fa
object --strand both r.fa t.fa
object --score-only r.fa t.fa
object --score-only --strand reverse r.fa t.fa
object p.fa s.fa
object a.fa c.fa
object --free-ends query-start,target-end q.fa t.fa
object --band 40 --mode global q.fa t.fa
object --gap-first2 20 --gap-ext2 1 --match 0.5 --mismatch -1.125 --gap-placement left q.fa t.fa
object --circular target --lower-bound off q.fa t.fa
object --max-alignments 2 --ambiguity neutral q.fa t.fa
clalign align --quiet --format cla q.fa t.fa >saved.cla || exit
clalign show --format json --region query:100-300 saved.cla >>objects || exit
"$python" -W ignore - "$CASES/../../../docs/alignment.schema.json" <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
objects = [json.loads(line) for line in open("objects")]
for object in objects:
    for error in validator.iter_errors(object):
        print(object["mode"], list(error.path), error.message[:200])
print(len(objects), "objects")
# What the schema must not let through.
for key, value in (("strand", "x"), ("cigar", "3M"), ("score", "1"), ("more", 1)):
    wrong = dict(objects[0], query=dict(objects[0]["query"], strand=value)) if key == "strand" else dict(objects[0], **{key: value})
    print(key, validator.is_valid(wrong))
END
