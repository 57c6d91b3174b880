function [total, f] = with_nested(n)
  total = 0;
  step = 1;
  for k = 1:n
    bump(k);
  end
  f = @current;
  function bump(v)
    total = total + v * step;
    step = step + inner();
    function r = inner()
      r = 1;
    end
  end
  function r = current()
    total = total + 1;
    r = total;
  end
end
