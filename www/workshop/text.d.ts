// Style sheets that esbuild bundles as their text: `import css from "./x.css" with { type: "text" }`.
declare module "*.css" {
  const css: string;
  export default css;
}
