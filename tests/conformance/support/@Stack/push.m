function push(s, v)
  s.items{end + 1} = v;
end
