function p = perimeter(w, h)
  p = 2 * (w + h);
end
