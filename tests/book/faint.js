// Texts with less contrast to what is behind them than WCAG 2.2 asks for (4.5, large text 3), and
// links that nothing but too little contrast (under 3) tells from the text that they stand in.
() => {
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((c, i) => a * c + (1 - a) * under[i]);
  const light = (rgb) =>
    rgb
      .map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + [0.2126, 0.7152, 0.0722][i] * c, 0);
  const behind = (node) => {
    const layers = [];
    for (; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      layers.unshift(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const contrast = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const look = (element, text) => {
    if (!shown(element)) return;
    const style = getComputedStyle(element);
    const colour = parse(element instanceof SVGElement ? style.fill : style.color);
    const under = behind(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const found = contrast(over(colour, under), under);
    if (found < (large ? 3 : 4.5))
      faint.push(
        `${found.toFixed(2)} ${element.tagName}.${element.className} ` +
          `${text.trim().slice(0, 40)}`,
      );
  };
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(element.tagName))
      continue;
    look(element, texts.currentNode.data);
  }
  for (const glyph of document.querySelectorAll("mjx-c")) look(glyph, "math");
  for (const link of document.querySelectorAll("a[href]")) {
    const around = link.parentElement;
    const words = [...around.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    if (!shown(link) || !words.some(({ data }) => /\p{L}/u.test(data))) continue;
    const styles = [link, around].map((element) => getComputedStyle(element));
    const underlined = styles[0].textDecorationLine.includes("underline");
    const found = contrast(...styles.map(({ color }) => over(parse(color), behind(around))));
    if (!underlined && found < 3)
      faint.push(`${found.toFixed(2)} link in a text: ${link.textContent.trim().slice(0, 40)}`);
  }
  return faint;
};
