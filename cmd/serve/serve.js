"use strict";
document.addEventListener("htmx:after:swap", () => dispatchEvent(new Event("enliven")));
