% oracle: a complex number and a few complex numbers, shown as MATLAB shows them
disp((1+2i)*[1i 2]); disp([1i 2]*(1+2i)); disp((1+2i).*[1i;2]); disp((1+2i)./[1i 2]); disp([1i 2]/(1+2i));
disp((1+2i)+[1i 2]); disp([1i 2]-(1+2i)); disp(2*[1i 2]); disp((1+2i)*[1 2]); disp([1i 2].*[3 4i]);
disp((1+2i)*single([1i 2])); disp((1+2i)*zeros(1, 0)); disp((1+2i)*reshape([1i 2 3 4i], 1, 2, 2));
