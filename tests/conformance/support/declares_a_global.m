global Shared_There
Shared_There.a = 3;
