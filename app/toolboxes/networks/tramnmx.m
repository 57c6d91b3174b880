function pn = tramnmx(p, minp, maxp)
% pn = tramnmx(p, minp, maxp): rows brought to the range from -1 to 1 as premnmx brought others; rows of one value stay as they are.
pn = p;
varied = minp ~= maxp;
pn(varied, :) = 2*(p(varied, :) - minp(varied))./(maxp(varied) - minp(varied)) - 1;
end
