function v = pop(s)
  v = s.items{end};
  s.items(end) = [];
end
