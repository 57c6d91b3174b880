function r = hidden_helper(x)
  r = x * 100;
end
