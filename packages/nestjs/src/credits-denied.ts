import type { Denial } from "@creditgate/core";
import { denialMessage } from "@creditgate/core/adapter";
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from "@nestjs/common";

/** Thrown for a request whose customer cannot pay: its response is the problem (RFC 9457) of the denial. */
export class CreditsDeniedException extends HttpException {
  override readonly name = "CreditsDeniedException" as const;
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(JSON.parse(denialMessage(denial).body), denial.status);
    this.denial = denial;
  }
}

/** The members of Express's and Fastify's requests that show what their client accepts. */
interface Request {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What the responses of Express and Fastify have in common. */
interface Response {
  status(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body: string): unknown;
}

/** Answers with the denial, as `application/problem+json` or as a page for a browser's navigation. */
export class CreditsDeniedFilter implements ExceptionFilter<CreditsDeniedException> {
  catch({ denial }: CreditsDeniedException, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { headers: asked } = http.getRequest<Request>();
    const { status, headers, body } = denialMessage(denial, (name) => asked[name]?.toString());
    const response = http.getResponse<Response>();
    response.status(status);
    for (const [name, value] of Object.entries(headers)) response.header(name, value);
    response.send(body);
  }
}

Catch(CreditsDeniedException)(CreditsDeniedFilter);
