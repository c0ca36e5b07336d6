import type { CreditsOptions } from "@creditgate/core";
import {
  applyDecorators,
  type CallHandler,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  type NestInterceptor,
  SetMetadata,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import type { Observable } from "rxjs";
import type { CreditgateModuleOptions } from "./creditgate-module.ts";
import { CreditsDeniedFilter } from "./credits-denied.ts";
import {
  type CreditsRequest,
  createEntrance,
  type Entrance,
  type GatedRequest,
  isEvents,
} from "./entrance.ts";
import type { Handled } from "./handled.ts";
import { optionsToken } from "./options-token.ts";

const optionsKey = Symbol("creditgate: the options of a route");
const reflector = new Reflector();
/** Requests that a guard has let in, until their handler is called. */
const guarded = new WeakMap<object, Handled>();

/** The charge of the request, for a parameter of a handler behind `@RequireCredits()`: report to it what the work used. */
export const Credits: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<GatedRequest>().credits,
);

/**
 * Lets a request of a route, or of each route of a controller, in only if its customer can pay for it. Stands behind all guards,
 * and answers a request whose customer cannot pay with 401, 402 or 503 (`application/problem+json`), by a
 * `CreditsDeniedException`; every other reaches the handler, which has the charge by `@Credits()`. What was reported is billed
 * when the response has gone out and the handler has ended. When the client disconnects the charge's `signal` fires; the hold stays
 * until the handler has ended, or where it had before, until its stream has been destroyed and the work has reported. On a method
 * it stands for that of the controller. What it is not given it takes from the module. Options that cannot be right are an
 * `invalid_option` error when the application starts; what a resolver throws is Nest's to answer.
 */
export function RequireCredits<Request = CreditsRequest>(
  options: Partial<CreditsOptions<Request>> = {},
): ClassDecorator & MethodDecorator {
  class Gated {
    protected readonly enter: Entrance;

    constructor({ gate, ...others }: CreditgateModuleOptions<Request>) {
      this.enter = createEntrance(gate, { ...others, ...options } as CreditsOptions<Request>);
    }

    protected isOf(context: ExecutionContext): boolean {
      const [handler, controller] = [context.getHandler(), context.getClass()];
      return reflector.getAllAndOverride(optionsKey, [handler, controller]) === Gated;
    }
  }

  class CreditsInterceptor extends Gated implements NestInterceptor {
    async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      if (!this.isOf(context)) return next.handle();
      const handled = guarded.get(context.switchToHttp().getRequest()) ?? (await this.enter(context));
      return handled.watched(next.handle());
    }
  }

  /** Only for server-sent events, whose 200 goes out while an interceptor waits. */
  class CreditsGuard extends Gated implements CanActivate {
    async canActivate(context: ExecutionContext): Promise<boolean> {
      if (this.isOf(context) && isEvents(context)) {
        guarded.set(context.switchToHttp().getRequest(), await this.enter(context));
      }
      return true;
    }
  }

  // As a decorator of the parameter would: its type is not emitted from here.
  Inject(optionsToken)(Gated, undefined, 0);
  return applyDecorators(
    SetMetadata(optionsKey, Gated),
    UseGuards(CreditsGuard as Type<CanActivate>),
    UseInterceptors(CreditsInterceptor as Type<NestInterceptor>),
    UseFilters(new CreditsDeniedFilter()),
  );
}
