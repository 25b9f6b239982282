import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolMessage,
} from '@ag-ui/core';

/** The messages of a conversation in their order, with the tool calls in them; it has copies of its own. */
export class HeldMessages {
  private held: Message[] = [];
  private readonly byId = new Map<string, Message>();
  private readonly calls = new Map<string, ToolCall>();

  constructor(private readonly activities: boolean) {}

  all(): Message[] {
    return [...this.held];
  }

  get(id: string): Message | undefined {
    return this.byId.get(id);
  }

  call(id: string): ToolCall | undefined {
    return this.calls.get(id);
  }

  add(message: Message): void {
    this.put(message, this.held.length);
  }

  /** Adds messages from outside, with the calls in them. */
  take(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.role === 'activity' && !this.activities) continue;
      const copy = { ...message };
      this.add(copy);
      if (copy.role !== 'assistant' || copy.toolCalls === undefined) continue;
      copy.toolCalls = copy.toolCalls.map((call) => ({
        ...call,
        function: { ...call.function },
      }));
      for (const call of copy.toolCalls)
        if (!this.calls.has(call.id)) this.calls.set(call.id, call);
    }
  }

  /** Messages that are there already stay in their places; reasoning stays if there is none in the snapshot. */
  replaceBy(messages: readonly Message[]): void {
    const told = new Map(messages.map((message) => [message.id, message]));
    const tellsReasoning = messages.some(({ role }) => role === 'reasoning');
    const kept = this.held
      .filter(
        ({ id, role }) =>
          told.has(id) || (role === 'reasoning' && !tellsReasoning),
      )
      .map((message) => told.get(message.id) ?? message);
    const old = new Set(kept.map(({ id }) => id));
    this.held = [];
    this.byId.clear();
    this.calls.clear();
    this.take([...kept, ...messages.filter(({ id }) => !old.has(id))]);
  }

  /** Adds a call to the message that it belongs to, which is made if there is none. */
  addCall(
    call: ToolCall,
    parentId: string,
    rest: Partial<AssistantMessage>,
  ): void {
    this.calls.set(call.id, call);
    const parent = this.byId.get(parentId) as AssistantMessage | undefined;
    if (parent !== undefined)
      parent.toolCalls = [...(parent.toolCalls ?? []), call];
    else
      this.add({ id: parentId, role: 'assistant', toolCalls: [call], ...rest });
  }

  /** Results stand behind the message with their calls, in the order of their coming. */
  addResult(message: ToolMessage): void {
    const call = this.calls.get(message.toolCallId);
    const asked = this.held.findIndex(
      (one) =>
        one.role === 'assistant' && one.toolCalls?.some((own) => own === call),
    );
    if (asked < 0) return this.add(message);
    const after = this.held.findIndex(
      ({ role }, index) => index > asked && role !== 'tool',
    );
    this.put(message, after < 0 ? this.held.length : after);
  }

  private put(message: Message, place: number): void {
    this.held.splice(place, 0, message);
    this.byId.set(message.id, message);
  }
}
