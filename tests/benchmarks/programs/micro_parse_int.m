function r = micro_parse_int(n)
% Numbers are written as hexadecimal text and read again digit by digit.
    r = 0;
    for i = 1:n
        number = mod(i * 7919, 65536);
        text = dec2hex(number);
        r = r + abs(number - parse(text)) + number;
    end
end

function v = parse(text)
    v = 0;
    for k = 1:length(text)
        c = text(k);
        if c >= '0' && c <= '9'
            v = v * 16 + (c - '0');
        else
            v = v * 16 + (c - 'A') + 10;
        end
    end
end
