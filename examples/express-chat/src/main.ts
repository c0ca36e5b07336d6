import { y } from "@creditgate/express";

console.log(y);
