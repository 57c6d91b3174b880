1;
function r = doubled_there(x)
  r = 2 * x;
end
