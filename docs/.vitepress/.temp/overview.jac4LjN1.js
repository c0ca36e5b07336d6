const _imports_1 = "/assets/overview.BL7tQRdF.webp";
export {
  _imports_1 as _
};
