interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly items?: Shape;
}

/** JSON Pointers to fields of `value` that are not in `schema`, at most 20, without fields inside new fields. */
export function newFields(value: unknown, schema: object): string[] {
  const found: string[] = [];
  const pending: { value: unknown; shape: Shape | undefined; pointer: string }[] = [
    { value, shape: schema as Shape, pointer: '' },
  ];
  for (let node = pending.pop(); node && found.length < 20; node = pending.pop()) {
    const { shape, pointer } = node;
    if (typeof node.value !== 'object' || node.value === null || !shape) continue;
    for (const [name, child] of Object.entries(node.value)) {
      const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (Array.isArray(node.value)) pending.push({ value: child, shape: shape.items, pointer: place });
      else if (shape.properties && Object.hasOwn(shape.properties, name))
        pending.push({ value: child, shape: shape.properties[name], pointer: place });
      else if (shape.additionalProperties)
        pending.push({ value: child, shape: shape.additionalProperties, pointer: place });
      else if (shape.properties) found.push(place);
    }
  }
  return found;
}
