import module from 'node:module';

// What a command loads is compiled once, not at every start: most of a short command's time. Node 20 has no such cache.
module.enableCompileCache?.();
