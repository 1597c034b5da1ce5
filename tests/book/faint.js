// Texts with less contrast to what is behind them than WCAG 2.2 asks for (4.5, large text 3).
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
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const look = (element, text) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    const style = getComputedStyle(element);
    const colour = parse(element instanceof SVGElement ? style.fill : style.color);
    const under = behind(element);
    const [a, b] = [light(over(colour, under)), light(under)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < (large ? 3 : 4.5))
      faint.push(
        `${contrast.toFixed(2)} ${element.tagName}.${element.className} ` +
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
  return faint;
};
