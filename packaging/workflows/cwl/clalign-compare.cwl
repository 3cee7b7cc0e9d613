cwlVersion: v1.2
class: CommandLineTool
label: clalign compare
doc: Compares two genomes; a folder has the summary, tables, PAF, VCF, chain, BED and pictures.
hints:
  DockerRequirement: {dockerPull: "clalign/clalign:0.1.0"}
  SoftwareRequirement: {packages: {clalign: {version: ["0.1.0"]}}}
  ResourceRequirement: {coresMin: 2, ramMin: 2000}
requirements:
  InlineJavascriptRequirement: {}
baseCommand: [clalign, compare, --quiet]
arguments:
  - {prefix: --threads, valueFrom: $(runtime.cores), position: 1}
  - {prefix: --folder, valueFrom: $(inputs.name), position: 3}
inputs:
  query: {type: File, doc: "FASTA, plain or gzip", inputBinding: {position: 10}}
  target: {type: File, doc: "likewise", inputBinding: {position: 11}}
  name: {type: string, default: comparison, doc: "name of the folder"}
outputs:
  folder: {type: Directory, outputBinding: {glob: $(inputs.name)}}
