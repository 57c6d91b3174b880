function r = loop_floyd_steinberg(n)
% Error diffusion of a grey ramp to black and white.
    I = zeros(n);
    for y = 1:n
        for x = 1:n
            I(y, x) = mod(x * 3 + y * 5, 256);
        end
    end
    r = 0;
    for y = 1:n
        for x = 1:n
            old = I(y, x);
            new = 255 * (old > 127);
            I(y, x) = new;
            err = old - new;
            r = r + new * mod(x + y, 7);
            if x < n
                I(y, x + 1) = I(y, x + 1) + err * 7 / 16;
            end
            if y < n
                if x > 1
                    I(y + 1, x - 1) = I(y + 1, x - 1) + err * 3 / 16;
                end
                I(y + 1, x) = I(y + 1, x) + err * 5 / 16;
                if x < n
                    I(y + 1, x + 1) = I(y + 1, x + 1) + err / 16;
                end
            end
        end
    end
end
