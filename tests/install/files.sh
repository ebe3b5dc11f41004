#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `make install` and `make uninstall`: what gets installed, DESTDIR, and that only the files
# of others stays behind.
source "$(dirname "$0")/support.sh"

everything() { (cd "$1" && find . | LC_ALL=C sort); }

# Every public header and nothing else; that of MPI programs with its library.
mpi_header=
[ -e "$PREFIX/lib/libreap_mpi.so" ] || mpi_header=mpi.h
diff <(cd "$SOURCE/include" && find . -name '*.h' ! -path "./reap/$mpi_header" | sort) \
    <(cd "$PREFIX/include" && find . -type f | sort) ||
    fail "other headers are installed than include/reap has"
for file in lib/libreap.so lib/libreap.so.0.1 lib/libreap.a lib/pkgconfig/reap.pc \
    lib/cmake/Reap/ReapConfig.cmake; do
    [ -f "$PREFIX/$file" ] || fail "$file is not installed"
done

# With the tool every manual page, and completions where shells look.
if [ -e "$PREFIX/bin/reap" ]; then
    diff <(cd "$SOURCE/docs/man" && ls) <(cd "$PREFIX/share/man/man1" && ls) ||
        fail "other manual pages are installed than docs/man has"
    for file in bash-completion/completions/reap zsh/site-functions/_reap \
        fish/vendor_completions.d/reap.fish; do
        [ -f "$PREFIX/share/$file" ] || fail "share/$file is not installed"
    done
fi

# The guides and examples, whose links to files lead to files; and a page for each function.
documentation=$PREFIX/share/doc/reap
for page in README.md CHANGELOG.md CONTRIBUTING.md docs; do
    diff <(cd "$SOURCE" && find $page -name '*.md' | sort) \
        <(cd "$documentation" && find $page -name '*.md' | sort) || fail "guides are missing"
done
diff <(cd "$SOURCE/examples" && find . -type f | sort) \
    <(cd "$documentation/examples" && find . -type f | sort) || fail "examples are missing"
links=0
while IFS=: read -r page link; do
    links=$((links + 1))
    [ -e "$(dirname "$page")/$link" ] || fail "$page refers to $link, which is not installed"
done < <(grep -roE --include='*.md' '\]\([^):#]+[)#]' "$documentation" |
    sed 's/:](/:/; s/.$//')
[ "$links" -gt 100 ] || fail "only $links links are found"
if command -v awk >/dev/null; then
    while read -r name; do
        [ -f "$PREFIX/share/man/man3/$name.3" ] || fail "$name has no manual page"
    done <"$SOURCE/tests/install/symbols.txt"
fi

# Below DESTDIR is what the prefix would get, and nothing stands outside.
DESTDIR="$work/dest dir" "$SOURCE/scripts/install.sh" "$BUILD" "$work/pre fix"
[ ! -e "$work/pre fix" ] || fail "DESTDIR is not honoured"
diff <(everything "$PREFIX") <(everything "$work/dest dir$work/pre fix") ||
    fail "DESTDIR gets something else than the prefix"
DESTDIR="$work/dest dir" "$SOURCE/scripts/uninstall.sh" "$work/pre fix"
[ -z "$(find "dest dir" -type f)" ] || fail "uninstall leaves files below DESTDIR"

# A relative prefix is one in the current directory, below DESTDIR too.
DESTDIR="$work/dest dir" "$SOURCE/scripts/install.sh" "$BUILD" "pre fix"
[ -f "dest dir$work/pre fix/include/reap/reap.h" ] || fail "a relative prefix is misunderstood"
DESTDIR="$work/dest dir" "$SOURCE/scripts/uninstall.sh" "pre fix"
[ -z "$(find "dest dir" -type f)" ] || fail "uninstall misunderstands a relative prefix"

# Uninstalling, also after a second installation over the first, leaves a tree as it was.
mkdir -p tree/lib/cmake tree/bin
touch tree/lib/cmake/theirs
everything tree >before
for _ in once twice; do
    "$SOURCE/scripts/install.sh" "$BUILD" "$work/tree"
done
"$SOURCE/scripts/uninstall.sh" "$work/tree"
diff before <(everything tree) || fail "uninstall does not leave the tree as it was"
"$SOURCE/scripts/install.sh" "$BUILD" "$work/new"
"$SOURCE/scripts/uninstall.sh" "$work/new"
[ ! -e new ] || fail "uninstall leaves the directory that install made"

# Where Reap is not, uninstall says so and removes nothing.
if "$SOURCE/scripts/uninstall.sh" "$work/tree" 2>errors; then
    fail "uninstall claims to have removed what is not there"
fi
grep -q 'no Reap in' errors || fail "uninstall does not report that Reap is missing"
