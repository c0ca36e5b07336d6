#!/bin/sh
# Chromium without the two pages that it loads for the list under its address bar, of each window anew: without a head
# nothing is typed there, and they are half of what a window costs. Of several lists of features Chromium takes the last, so
# the names are added to that of Playwright.
for argument do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "${CHROMIUM:-/usr/bin/chromium}" "$@"
