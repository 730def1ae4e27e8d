// Files that esbuild bundles as their text: `import text from "./x.wgsl" with { type: "text" }`.
declare module "*.wgsl" {
  const text: string;
  export default text;
}
declare module "*.css" {
  const text: string;
  export default text;
}
