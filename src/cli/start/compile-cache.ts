import module from 'node:module';

// Caches compiled modules: compiling takes most of a short command's time. Node 20 has no such cache.
module.enableCompileCache?.();
