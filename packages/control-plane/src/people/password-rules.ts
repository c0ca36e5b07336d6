import { invalid } from "../http/validation.ts";

const shortest = 12;
const mostBytes = 256;

/** What the longest-lived lists of stolen passwords are made of, with digits and signs behind it. */
const commonWords: ReadonlySet<string> = new Set(
  `password passwort passw0rd p@ssw0rd p@ssword motdepasse contrasena wachtwoord qwertyuiop qwerty qwertz azerty iloveyou
   letmein letmeinnow welcome welcomehome admin administrator superadmin superuser changeme changemenow changeit secret
   topsecret supersecret mysecret mypassword yourpassword newpassword thepassword passwordpassword adminadmin adminpassword
   rootpassword masterpassword defaultpassword temporary temporarypassword testpassword test testtest testing guest
   creditgate creditgateadmin dragon monkey football baseball basketball princess sunshine superman batman starwars
   trustno michael jennifer shadow master whatever computer internet liverpool chelsea arsenal pokemon minecraft
   abcdefgh iloveyousomuch iloveyouforever ihateyou fuckyou hello helloworld hellothere login loginlogin correcthorsebatterystaple`.split(
    /\s+/,
  ),
);

const sequences = [
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789012345678901234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
].flatMap((sequence) => [sequence, [...sequence].reverse().join("")]);

/** Refuses a password that is short or easy to guess with a 400; nothing of it is repeated. */
export function checkPassword(password: string, email: string, pointer: string): void {
  const refuse = (detail: string) => invalid([{ pointer, detail }]);
  if ([...password].length < shortest) {
    throw refuse(`expected ${shortest} characters or more, received fewer`);
  }
  if (Buffer.byteLength(password) > mostBytes) {
    throw refuse(`expected at most ${mostBytes} bytes, received more`);
  }
  if (isGuessable(password.normalize("NFKC").toLowerCase(), email)) {
    throw refuse("expected one that is hard to guess, received one that is on every list, or your e-mail");
  }
}

function isGuessable(password: string, email: string): boolean {
  const unit = repeatedUnit(password);
  const [local = ""] = email.split("@");
  const word = password.replace(/[\d\W_]+$/u, "");
  return (
    new Set(password).size < 5 ||
    unit.length < 6 ||
    sequences.some((sequence) => sequence.includes(password) || sequence.includes(unit)) ||
    [word, unit, unit.replace(/[\d\W_]+$/u, "")].some((part) => commonWords.has(part) || part === local) ||
    password.includes(email)
  );
}

/** `abc` of `abcabcabc`; the whole where nothing is repeated. */
function repeatedUnit(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}
