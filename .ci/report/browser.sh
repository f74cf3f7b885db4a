# Sourced: installs Chromium (Debian, as root) and puppeteer into $MODULES, with $work as folder for logs, or exits with 75.
export DEBIAN_FRONTEND=noninteractive
packages=()
for p in chromium:chromium node:nodejs npm:npm pdftotext:poppler-utils; do
	command -v "${p%:*}" >/dev/null || packages+=("${p#*:}")
done
[ ${#packages[@]} = 0 ] || apt-get install -y --no-install-recommends "${packages[@]}" >"$work/apt" 2>&1 ||
	{ apt-get update >/dev/null && apt-get install -y --no-install-recommends "${packages[@]}" >"$work/apt" 2>&1; } || { cat "$work/apt" && exit 75; }
modules=${XDG_CACHE_HOME:-$HOME/.cache}/schedsweep-report
mkdir -p "$modules"
npm install --silent --no-audit --no-fund --prefix "$modules" puppeteer-core@25.16.0 axe-core@4.14.1 >"$work/npm" 2>&1 || { cat "$work/npm" && exit 75; }
CHROMIUM=$(command -v chromium)
export CHROMIUM MODULES=$modules
