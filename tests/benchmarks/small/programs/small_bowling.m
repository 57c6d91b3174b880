function r = small_bowling()
games = {[10 3 7 6 1 10 10 10 2 8 9 0 7 3 10 10 10], repmat(9, 1, 10), [10 10 10 10 10 10 10 10 10 10 10 10]}; r = 0;
for g = 1:numel(games)
    rolls = [games{g} zeros(1, 12)]; at = 1; score = 0;
    for frame = 1:10
        if rolls(at) == 10, score = score + 10 + rolls(at+1) + rolls(at+2); at = at + 1;
        elseif rolls(at) + rolls(at+1) == 10, score = score + 10 + rolls(at+2); at = at + 2;
        else, score = score + rolls(at) + rolls(at+1); at = at + 2;
        end
    end
    r = r*1000 + score;
end
end
