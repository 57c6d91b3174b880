function r = small_fft_by_recursion()
x = myfft((1:64)' + 0i); r = round(sum(abs(x))*1e6);
end
function y = myfft(x)
n = numel(x); if n == 1, y = x; return, end
e = myfft(x(1:2:end)); o = myfft(x(2:2:end)); w = exp(-2i*pi*(0:n/2-1)'/n); y = [e + w.*o; e - w.*o];
end
