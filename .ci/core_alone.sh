#!/usr/bin/env bash
# Fails when a program that links the core alone opens a file or a socket, reads a clock, or asks
# the system for anything but memory and the printing of its own lines.
#
#     .ci/core_alone.sh PROGRAM SCRATCH
set -euo pipefail
program=$1 scratch=$2
# What the loader and the runtime do before the program's own code is not the core's: the program
# prints a line before it does anything else.
strace -f -o "$scratch/calls" "$program" >/dev/null
of_program=$(sed -n '/ write(1,/,$p' "$scratch/calls")
[ -n "$of_program" ] || { echo "the program printed nothing"; exit 1; }
memory='brk|mmap|munmap|mremap|madvise|mprotect'
ending='sigaltstack|exit_group'
if grep -vE "^[0-9]+ +(write\(1,|($memory|$ending)\(|\+\+\+ exited with 0)" <<<"$of_program"; then
  echo "the core alone asks the system for that"
  exit 1
fi
# A clock is read without asking the system, so its functions are looked for by name among all
# that were called.
valgrind --tool=callgrind --callgrind-out-file="$scratch/called" "$program" >/dev/null 2>&1
grep -q 'mcp_reprise' "$scratch/called" || { echo "the program has no names"; exit 1; }
if grep -oE '(clock_gettime|clock_gettime64|gettimeofday|__vdso_[a-z_]+)[^ ]*$' "$scratch/called"; then
  echo "the core alone calls that"
  exit 1
fi
echo "$(grep -c . <<<"$of_program") calls, all for memory and for printing"
