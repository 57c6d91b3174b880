function a = netinv(n)
% a = netinv(n): the transfer function 1/n.
a = 1./n;
end
