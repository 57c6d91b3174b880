function r = uses_private(x)
  r = hidden_helper(x) + local_part(x);
end
function r = local_part(x)
  r = x;
end
