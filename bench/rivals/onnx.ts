// The few fields of an ONNX model that one operator needs, written as protobuf by hand: no model file, no converter.

const text = new TextEncoder();

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}

const number = (field: number, value: number): number[] => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, content: readonly number[]): number[] => [
  ...varint((field << 3) | 2),
  ...varint(content.length),
  ...content,
];
const string = (field: number, value: string): number[] => bytes(field, [...text.encode(value)]);

/** `TensorProto.DataType` */
export const elementType = { float32: 1, int32: 6, int64: 7 } as const;
export type ElementType = keyof typeof elementType;

export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly number[];
}

const valueInfo = ({ name, type, dims }: Value): number[] => {
  const shape = dims.flatMap((dim) => bytes(1, number(1, dim)));
  const tensor = [...number(1, elementType[type]), ...bytes(2, shape)];
  return [...string(1, name), ...bytes(2, bytes(1, tensor))];
};

/** A model of one node. Attributes: integers and strings. */
export function oneNodeModel(
  operator: string,
  inputs: readonly Value[],
  output: Value,
  attributes: Readonly<Record<string, number | string>>,
): Uint8Array {
  const INT = 2;
  const STRING = 3;
  const node = [
    ...inputs.flatMap(({ name }) => string(1, name)),
    ...string(2, output.name),
    ...string(3, operator),
    ...string(4, operator),
    ...Object.entries(attributes).flatMap(([name, value]) =>
      bytes(5, [
        ...string(1, name),
        ...(typeof value === "number"
          ? [...number(3, value), ...number(20, INT)]
          : [...string(4, value), ...number(20, STRING)]),
      ]),
    ),
  ];
  const graph = [
    ...bytes(1, node),
    ...string(2, "gomme-bench"),
    ...inputs.flatMap((input) => bytes(11, valueInfo(input))),
    ...bytes(12, valueInfo(output)),
  ];
  const irVersion = 8;
  const opset = [...string(1, ""), ...number(2, 18)];
  return new Uint8Array([...number(1, irVersion), ...bytes(7, graph), ...bytes(8, opset)]);
}
