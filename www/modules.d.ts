// Files that the bundler takes in as text or as data.
declare module "*.wgsl" {
  const source: string;
  export default source;
}

/** Style sheets that sections carry along: `import css from "./x.css" with { type: "text" }`. */
declare module "*.css" {
  const css: string;
  export default css;
}

/** The recordings of www/recorded/, each fetched when it is called. */
declare module "recorded:files" {
  const files: readonly (() => Promise<{ default: import("./record/recording").Recording }>)[];
  export default files;
}
