// Files that the bundler takes in as text or as data.
declare module "*.wgsl" {
  const source: string;
  export default source;
}
