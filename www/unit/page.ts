// What the tests of the address need, in one bundle.
export { fromAddress, link } from "../address";
export { reset } from "../settings";
export { createState, DEFAULT_TEXT, LINK_LIMIT, setText } from "../state";
