import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  preHandlerAsyncHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from "fastify";

type Raw = RawServerDefault;
type RawRequest = RawRequestDefaultExpression;
type RawReply = RawReplyDefaultExpression;

// What Fastify infers the types of a route from, where that is declared.
export type Generics = RouteGenericInterface;
export type Config = ContextConfigDefault;
export type Schema = FastifySchema;
export type Provider = FastifyTypeProvider;
export type NoProvider = FastifyTypeProviderDefault;
export type Logger = FastifyBaseLogger;

export type RouteRequest<
  G extends Generics,
  C,
  S extends Schema,
  P extends Provider,
  L extends Logger,
> = FastifyRequest<G, Raw, RawRequest, S, P, C, L>;

export type RouteHook<
  G extends Generics,
  C,
  S extends Schema,
  P extends Provider,
  L extends Logger,
> = preHandlerAsyncHookHandler<Raw, RawRequest, RawReply, G, C, S, P, L>;

export type RouteHandler<
  G extends Generics,
  C,
  S extends Schema,
  P extends Provider,
  L extends Logger,
> = RouteHandlerMethod<Raw, RawRequest, RawReply, G, C, S, P, L>;
