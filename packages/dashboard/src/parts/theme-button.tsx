import { Button } from "react-aria-components";
import { Icon } from "./icon.tsx";
import { toggleTheme } from "./theme.ts";

export function ThemeButton() {
  return (
    <Button className="icon-btn" aria-label="Change the theme" onPress={toggleTheme}>
      <Icon name="theme" />
    </Button>
  );
}
