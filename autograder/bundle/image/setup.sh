#!/usr/bin/env bash
# Gradescope runs this once, as root, while it builds the image. Everything that grading needs is installed here and tried
# here: what is wrong must show now, to staff, and not at the first submission.
set -Eeuo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wanted=$(cat "$source/python-version" 2>/dev/null || true) # `python` in [tool.autograder]; nothing: any from 3.10 on
package=python${wanted:-3}
python=${AUTOGRADER_PYTHON:-$package}
remedy="is the base image Ubuntu 22.04 or newer?"
if [ -n "$wanted" ]; then
  remedy="Ubuntu 22.04 has Python 3.10, and 24.04 has 3.12: choose that base image in Gradescope's settings,
  or set python in [tool.autograder] to one of these, and bundle again"
fi
venv=$source/venv # of its own: Gradescope's harness needs the system's Python as it is

fail() {
  printf '\nautograder: setup FAILED: %s\n' "$*" >&2
  exit 1
}
trap 'fail "see the lines above (setup.sh, line $LINENO)"' ERR

install_package() {
  echo "autograder: installing $1"
  export DEBIAN_FRONTEND=noninteractive
  # Gradescope has updated apt's lists before; elsewhere there may be none.
  apt-get install -y --no-install-recommends "$1" || { apt-get update && apt-get install -y --no-install-recommends "$1"; } ||
    fail "apt-get could not install $1; $remedy"
}

rm -f "$source/ready"
command -v "$python" >/dev/null || install_package "$package"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
  fail "$("$python" --version) is too old, 3.10 is needed: choose the base image Ubuntu 22.04 in Gradescope's settings"
[ -z "$wanted" ] || "$python" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != sys.argv[1])' "$wanted" ||
  fail "$("$python" --version) is not the Python $wanted that pyproject.toml asks for: install it, or change python there and bundle again"
"$python" -c 'import ensurepip' 2>/dev/null || install_package "$package-venv"

"$python" -m venv --clear "$venv"
pip() { "$venv/bin/python" -m pip --disable-pip-version-check --no-cache-dir --quiet "$@"; }
pip install --only-binary :all: --require-hashes --requirement "$source/requirements.txt" ||
  fail "the packages could not be installed; if the network was at fault, build the image again"
pip install --no-deps --no-index "$source"/*.whl
pip uninstall --yes pip setuptools 2>/dev/null # grading needs neither

# The proof: the starter is graded as a submission will be, with the isolation that the assignment insists on.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
ln -s "$source" "$trial/source"
cp -R "$source/starter" "$trial/submission"
cp "$source/run_autograder" "$trial/run_autograder"
chmod +x "$source/run_autograder" "$trial/run_autograder" # a zip made again by hand may have lost the bit
log=$trial/log
touch "$source/ready"
if "$trial/run_autograder" >"$log" 2>&1 && "$venv/bin/autograder" validate "$trial/results/results.json" >>"$log" 2>&1; then
  "$venv/bin/python" -I -m autograder isolation --root "$source"
  tail -n 1 "$log" # of the starter: valid, and no points
else
  rm -f "$source/ready"
  cat "$log" >&2
  fail "the starter could not be graded in this image; the reason is above"
fi
echo "autograder: the image is ready"
