% oracle: Octave has no string class
% dialect: matlab
s = "Hello World"; disp(contains(s, "World")); disp(startsWith(s, "Hell")); disp(extractBefore(s, " ")); disp(extractAfter(s, "o W")); disp(replace(s, "l", "L")); disp(reverse(s)); disp(upper(s)); disp(count(s, "o")); disp(strip("  q ") + "|"); disp(pad("a", 3) + "|"); disp(join(["a" "b"], "-")); disp(split("a,b", ",")'); disp(erase(s, "l")); disp(insertAfter(s, "Hello", "!"));
