function [next, reset] = make_counter()
  count = 0;
  next = @advance;
  reset = @clear_it;
  function r = advance()
    count = count + 1;
    r = count;
  end
  function clear_it()
    count = 0;
  end
end
