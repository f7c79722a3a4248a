for (const place of document.querySelectorAll("[data-filter]")) {
  const rows = [...place.querySelectorAll("[data-row]")];
  if (rows.length < 8) continue;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Filter " + place.dataset.filter;
  field.setAttribute("aria-label", field.placeholder);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
  place.prepend(field);
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => (one.open = true)));
