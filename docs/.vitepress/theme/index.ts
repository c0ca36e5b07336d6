import type { Theme } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import Playground from "./Playground.vue";
import "./style.css";

const site: Theme = {
  extends: theme,
  enhanceApp: ({ app }) => {
    app.component("Playground", Playground);
  },
};
export default site;
