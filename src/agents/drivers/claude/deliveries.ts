interface Delivery {
  promise: Promise<boolean>;
  resolve(delivered: boolean): void;
}

/** Whether answers have arrived, by what they answer. An answer that is given twice has one fate. */
export class Deliveries {
  readonly #all = new Map<string, Delivery>();

  has(askId: string): boolean {
    return this.#all.has(askId);
  }

  of(askId: string): Promise<boolean> {
    return this.#delivery(askId).promise;
  }

  settle(askId: string, delivered: boolean): void {
    this.#delivery(askId).resolve(delivered);
  }

  /** What is still on its way ends like this. */
  settleAll(delivered: boolean): void {
    for (const { resolve } of this.#all.values()) resolve(delivered);
  }

  #delivery(askId: string): Delivery {
    const known = this.#all.get(askId);
    if (known) return known;
    let resolve: Delivery['resolve'] = () => undefined;
    const promise = new Promise<boolean>((settle) => {
      resolve = settle;
    });
    const delivery = { promise, resolve };
    this.#all.set(askId, delivery);
    return delivery;
  }
}
