// Parses the Mermaid diagrams of Markdown files with Mermaid's own parser: diagrams.js FILE...
// The environment of scripts/setup holds a copy of this program, beside its packages.
import { readFileSync } from "node:fs";

import DOMPurify from "dompurify";
import mermaid from "mermaid";

// The sanitizer of labels needs a browser, and a diagram is only parsed here, never drawn.
Object.assign(DOMPurify, { addHook() {}, sanitize: (text) => text });

let count = 0;
for (const file of process.argv.slice(2)) {
  const page = readFileSync(file, "utf8");
  for (const { 1: diagram, index } of page.matchAll(/^```mermaid\n(.*?)^```$/gms)) {
    count += 1;
    try {
      await mermaid.parse(diagram);
    } catch (error) {
      const line = page.slice(0, index).split("\n").length;
      console.error(`${file}: the diagram at line ${line} is invalid.\n${error.message}`);
      process.exitCode = 1;
    }
  }
}
console.log(`${count} diagrams parsed`);
if (count === 0) process.exitCode = 1;
