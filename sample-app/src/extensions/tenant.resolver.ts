import { Injectable } from '@nestjs/common';
import {
  AguiRuntimeContextResolver,
  type AguiRuntimeContextRequest,
  type ResolvedContext,
} from 'nestjs-agui';

/** Lets agents know for which tenant they work. */
@Injectable()
@AguiRuntimeContextResolver()
export class TenantResolver implements AguiRuntimeContextResolver {
  resolve(request: AguiRuntimeContextRequest): ResolvedContext {
    return { tenantId: request.firstHeader('X-Tenant-Id') ?? 'public' };
  }
}
