// Light or dark, as the reader's system is, before anything is drawn.
{
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  };
  follow();
  dark.addEventListener("change", follow);
}
